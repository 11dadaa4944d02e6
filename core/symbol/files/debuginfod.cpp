#include "core/symbol/files/debuginfod.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <unistd.h>

namespace helio {

namespace {

/// Functions of libdebuginfod that fetchFromDebuginfod() calls; nullptr if the library is missing. The library is never unloaded.
struct Library {
    using Client = void;
    using Find = int (*)(Client*, const unsigned char*, int, char**);

    Client* (*begin)() = nullptr;
    void (*end)(Client*) = nullptr;
    Find findExecutable = nullptr;
    Find findDebugInfo = nullptr;

    Library()
    {
        void* handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            return;
        begin = reinterpret_cast<Client* (*)()>(dlsym(handle, "debuginfod_begin"));
        end = reinterpret_cast<void (*)(Client*)>(dlsym(handle, "debuginfod_end"));
        findExecutable = reinterpret_cast<Find>(dlsym(handle, "debuginfod_find_executable"));
        findDebugInfo = reinterpret_cast<Find>(dlsym(handle, "debuginfod_find_debuginfo"));
    }
    bool isThere() const { return begin && end && findExecutable && findDebugInfo; }
};

} // namespace

DebuginfodResult fetchFromDebuginfod(const std::string& buildId, DebuginfodKind kind)
{
    const char* servers = std::getenv("DEBUGINFOD_URLS");
    if (!servers || !*servers)
        return {{}, "DEBUGINFOD_URLS is not set"};
    static const Library library;
    if (!library.isThere())
        return {{}, "libdebuginfod.so.1 is not installed"};
    const std::unique_ptr<Library::Client, void (*)(Library::Client*)> client(library.begin(), library.end);
    if (!client)
        return {{}, "libdebuginfod could not start"};
    const auto find = kind == DebuginfodKind::Executable ? library.findExecutable : library.findDebugInfo;
    char* path = nullptr;
    // A length of zero means that the id is given as hexadecimal digits.
    const int file = find(client.get(), reinterpret_cast<const unsigned char*>(buildId.c_str()), 0, &path);
    const std::unique_ptr<char, decltype(&std::free)> owner(path, &std::free);
    if (file < 0)
        return {{}, std::string("no server has it (") + std::strerror(-file) + ")"};
    close(file);
    return {path ? path : "", path ? "" : "it returned no path"};
}

} // namespace helio
