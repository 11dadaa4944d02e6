#pragma once

#include "core/symbol/files/elf_file.h"

#include <memory>

namespace helio {

/// Returns the page of code (vDSO) that the running kernel maps into each process and that lies in no file; nullptr if there is none.
std::shared_ptr<const ElfFile> runningVdso();

} // namespace helio
