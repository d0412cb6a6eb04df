from tests.sites.site import Site


def build() -> Site:
    """Two list pages in GBK; the file names are Chinese: the path goes as UTF-8, as browsers send it."""
    site = Site()
    for number in (1, 2):
        photos = range(3 * number - 2, 3 * number + 1)
        links = "".join(f'<a href="photo/{photo}.html">图片 {photo}</a>' for photo in photos)
        more = '<a href="list_2.html">下一页</a>' if number == 1 else "<span>下一页</span>"
        site.page("/list.html" if number == 1 else "/list_2.html", links + more, encoding="gbk")
        for photo in photos:
            path = f"/pic/山水-{photo}.jpg"
            site.picture(path, photo)
            site.page(f"/photo/{photo}.html", f'<img src="..{path}" alt="山水">', encoding="gbk")
    return site
