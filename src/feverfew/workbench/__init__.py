"""The annotation workbench: the workflows of FEVER, FEVEROUS and HoVer over any corpus."""
