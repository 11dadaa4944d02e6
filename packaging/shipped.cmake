# helio_ship_directory(): flags of everything that is defined in the calling directory and below it after the call. Programs that users install
# come from such directories. They read files of unknown origin, so they are hardened, and the same source gives the same bytes in each folder.
# Left out: -fcf-protection, which takes effect only if all objects of a process have it (the start files of Debian 12 do not), and
# _GLIBCXX_ASSERTIONS, with which merging takes 13 % more instructions.
# tests/packaging checks the built programs. Tests do not call it: they are not optimized, and look for their sources by absolute paths.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fstack-clash-protection HELIO_HAS_STACK_CLASH_PROTECTION)
check_cxx_compiler_flag(-ffile-prefix-map=a=b HELIO_HAS_PREFIX_MAP)

macro(helio_ship_directory)
    add_compile_options(-fstack-protector-strong -Wformat -Werror=format-security)
    if(HELIO_HAS_STACK_CLASH_PROTECTION)
        add_compile_options(-fstack-clash-protection)
    endif()
    if(NOT HELIO_SANITIZE) # The sanitizers watch the functions whose checked variants would be called.
        # The C library warns about checks without optimization. A distribution may set another level by itself.
        add_compile_options("$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>")
    endif()
    add_link_options(-pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)

    # Paths are relative to the source, and the compiler's options are not recorded, because the compiler cache passes others: relative paths,
    # for example. Debuggers of a debug build want absolute paths. Of the maps, the last one that fits is applied.
    if(HELIO_HAS_PREFIX_MAP)
        cmake_path(RELATIVE_PATH CMAKE_SOURCE_DIR BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE helio_source)
        foreach(map IN ITEMS ${helio_source}/= ${CMAKE_SOURCE_DIR}=. ${CMAKE_SOURCE_DIR}/= ${CMAKE_BINARY_DIR}=. ${CMAKE_BINARY_DIR}/=)
            add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${map}>")
        endforeach()
        add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-gno-record-gcc-switches>")
    endif()
    set(CMAKE_AUTORCC_OPTIONS --format-version;1) # Later formats contain the times at which the files were checked out.
endmacro()
