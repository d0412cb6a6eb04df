from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["picspider*"]), "picspider.configs"], package_dir={"picspider.configs": "configs"})
