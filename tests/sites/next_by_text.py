from tests.sites.site import Site

SIDE_BAR = '<div id="side"><a href="/topic/9/">Popular: something else</a></div>'


def build() -> Site:
    """Two boards, four topics, a next link that points to itself, a smiley, a broken and a repeated picture."""
    site = Site()
    site.decoy_page("/topic/9/")
    boards = {"/board/1/": (1, "?page=2"), "/board/1/?page=2": (2, None), "/board/2/": (3, None)}
    for path, (topic, more) in boards.items():
        pager = f'<a href="{more}"><b>Next</b> page</a>' if more else "last page"
        site.page(path, f'{SIDE_BAR}<ul id="topics"><li><a href="../../topic/{topic}/">topic</a></ul>{pager}')
    for topic in (1, 2, 3):
        _topic(site, topic)
    return site


def _topic(site: Site, topic: int) -> None:
    files = [site.picture(f"/files/{topic}-{number}.jpg", 10 * topic + number) for number in range(4)]
    if topic == 1:
        files.append(site.missing("/files/gone.png"))
    if topic == 2:
        files += [site.small("/files/smiley.gif", 7), site.truncated("/files/cut.jpg", 8)]
    if topic == 3:
        files.append(site.again("/files/3-0.jpg"))
    halves = {f"/topic/{topic}/": files[:2], f"/topic/{topic}/?page=2": files[2:]}
    for path, part in halves.items():
        posts = "".join(f'<p><a href="{file}"><img src="/avatar.png"></a>' for file in part)
        site.page(path, posts + f'<a href="/topic/{topic}/?page=2" title="Next page">&raquo;</a>')
    site.again(f"/topic/{topic}/?page=2")  # the last page's link points to itself
    site.decoy("/avatar.png")
