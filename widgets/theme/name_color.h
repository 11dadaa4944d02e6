#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// Hash that is the same in every run and on every machine.
std::uint32_t hashName(std::string_view name);

/// Category colour for the code of a function (modules get their colours from ModuleColors). It depends on the name alone and is the same
/// in every view, run, recording and selection. No colour is blue, because blue stands for the kernel.
int categoryOfName(std::string_view name);

} // namespace helio
