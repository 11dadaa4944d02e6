# What `cmake --install` puts where; CPack makes two .deb from it, heliograph and python3-heliograph:
# `cpack -G DEB --config build/release/CPackConfig.cmake`.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
set(helio_docs ${CMAKE_INSTALL_DATADIR}/doc/heliograph) # As Debian spells the package.

install(TARGETS heliograph)
install(TARGETS ${HELIO_HELPERS} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/heliograph)
install(FILES packaging/heliograph.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/heliograph-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME heliograph.xml)
install(FILES packaging/heliograph.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)

# Whoever makes a package answers for it: DEBFULLNAME and DEBEMAIL say who, as for other tools of Debian.
set(helio_packager "The Heliograph developers")
if(DEFINED ENV{DEBFULLNAME})
    set(helio_packager "$ENV{DEBFULLNAME}")
endif()
set(CPACK_PACKAGE_CONTACT "${helio_packager} <heliograph@localhost>")
if(DEFINED ENV{DEBEMAIL})
    set(CPACK_PACKAGE_CONTACT "${helio_packager} <$ENV{DEBEMAIL}>")
endif()

# Debian wants its copyright file, and manuals and changelogs packed, without a time in them so that the same source gives the same package.
find_program(GZIP gzip REQUIRED)
function(helio_install_packed source destination name)
    set(packed ${CMAKE_CURRENT_BINARY_DIR}/packed/${name}.gz)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packed)
    add_custom_command(OUTPUT ${packed} COMMAND ${GZIP} -9nc ${source} > ${packed} DEPENDS ${source} VERBATIM)
    add_custom_target(packed_${name} DEPENDS ${packed})
    set_property(GLOBAL APPEND PROPERTY helio_packed packed_${name})
    install(FILES ${packed} DESTINATION ${destination})
endfunction()
helio_install_packed(${CMAKE_SOURCE_DIR}/packaging/heliograph.1 ${CMAKE_INSTALL_MANDIR}/man1 heliograph.1)
configure_file(packaging/changelog.in ${CMAKE_CURRENT_BINARY_DIR}/packed/changelog @ONLY)
helio_install_packed(${CMAKE_CURRENT_BINARY_DIR}/packed/changelog ${helio_docs} changelog)
install(FILES packaging/copyright DESTINATION ${helio_docs})

# The list of components is made from the programs themselves. Without Python there is none.
set(helio_programs heliograph ${HELIO_HELPERS})
find_package(Python3 3.11 COMPONENTS Interpreter)
if(Python3_FOUND)
    set(helio_components ${CMAKE_BINARY_DIR}/heliograph.spdx.json)
    list(TRANSFORM helio_programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
    add_custom_command(OUTPUT ${helio_components}
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/packaging/sbom --version ${PROJECT_VERSION} --output ${helio_components} ${files}
        DEPENDS ${helio_programs} packaging/sbom packaging/source-date .github/DEPENDENCIES.md COMMENT "Listing the components" VERBATIM)
    install(FILES ${helio_components} DESTINATION ${helio_docs})
endif()
# Everything in the packages, for cpack.
get_property(packed GLOBAL PROPERTY helio_packed)
add_custom_target(package_contents ALL DEPENDS ${helio_programs} ${helio_components})
add_dependencies(package_contents ${packed})
install(FILES resources/icons/app.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME heliograph.svg)
install(DIRECTORY resources/samples DESTINATION ${CMAKE_INSTALL_DATADIR}/heliograph)
# What a plug-in is written with; a component, so that it can be had where nothing is built.
install(FILES core/plugin/heliograph_plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heliograph COMPONENT plugin)
install(DIRECTORY resources/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/heliograph COMPONENT plugin)
if(EXISTS ${CMAKE_SOURCE_DIR}/resources/guide)
    install(DIRECTORY resources/guide DESTINATION ${CMAKE_INSTALL_DATADIR}/heliograph)
endif()

# The Python package, where Python of Debian looks for packages.
set(helio_python_docs ${CMAKE_INSTALL_DATADIR}/doc/python3-heliograph)
install(DIRECTORY packaging/python/heliograph DESTINATION lib/python3/dist-packages COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
install(FILES packaging/copyright DESTINATION ${helio_python_docs} COMPONENT python)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packed/changelog.gz DESTINATION ${helio_python_docs} COMPONENT python)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_PACKAGE_NAME heliograph)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # Each package begins its description with a summary of its own.
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/packaging/cpack_date.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/cpack_permissions.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_HELIOGRAPH_PACKAGE_NAME heliograph)
set(CPACK_DEBIAN_HELIOGRAPH_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_HELIOGRAPH_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HELIOGRAPH_PACKAGE_RECOMMENDS "fonts-inter, libtraceevent1-plugin")
set(CPACK_DEBIAN_HELIOGRAPH_DESCRIPTION "timeline trace viewer for Linux performance work\nOpens LTTng traces and perf recordings, shows what every thread and every\nCPU was doing at any moment on one time axis, and prints the same as text.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-heliograph)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), heliograph (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, jupyter-notebook")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "SQL, tables and pictures of traces in Python\nAsks Heliograph questions about traces of Linux in scripts and notebooks, and gets\nexact rows, data frames and pictures.")
include(CPack)
cpack_add_component_group(heliograph)
cpack_add_component(program GROUP heliograph)
cpack_add_component(plugin GROUP heliograph)
cpack_add_component(python)
