from setuptools import find_packages, setup

ROOMS = [*find_packages(include=["picspider*"]), "picspider.configs"]
setup(packages=ROOMS, package_dir={"picspider.configs": "configs"})
