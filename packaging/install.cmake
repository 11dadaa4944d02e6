# What `cmake --install` puts where; CPack makes the .deb from it.
include(GNUInstallDirs)
install(TARGETS heliograph)
