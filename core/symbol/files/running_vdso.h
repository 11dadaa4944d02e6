#pragma once

#include "core/symbol/files/elf_file.h"

#include <memory>

namespace helio {

/// The page of code that the running kernel gives each process, which lies in no file; null: there is none.
std::shared_ptr<const ElfFile> runningVdso();

} // namespace helio
