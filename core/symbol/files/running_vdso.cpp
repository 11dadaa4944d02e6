#include "core/symbol/files/running_vdso.h"

#include <cstring>
#include <fstream>
#include <string>

namespace helio {

std::shared_ptr<const ElfFile> runningVdso()
{
    static const std::shared_ptr<const ElfFile> own = []() -> std::shared_ptr<const ElfFile> {
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);) {
            if (!line.ends_with("[vdso]"))
                continue;
            std::uintptr_t begin = 0, end = 0;
            if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2 || end <= begin || end - begin > (1U << 20))
                return nullptr;
            std::vector<std::byte> bytes(end - begin);
            std::memcpy(bytes.data(), reinterpret_cast<const void*>(begin), bytes.size());
            auto file = ElfFile::fromBytes(std::move(bytes), "[vdso]");
            return file ? *file : nullptr;
        }
        return nullptr;
    }();
    return own;
}

} // namespace helio
