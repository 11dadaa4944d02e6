#pragma once

#include <cstdint>
#include <string>

namespace helio::kvm {

/// Whose virtualization it is, as kvm_exit's `isa` says.
enum class Isa : std::uint8_t { Intel = 1, Amd = 2 };

/// "MSR_WRITE (32)": an exit's reason by the name that its maker gives it; of none that is known "(77)".
std::string exitText(Isa isa, std::int64_t reason);

} // namespace helio::kvm
