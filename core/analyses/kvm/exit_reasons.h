#pragma once

#include <cstdint>
#include <string>

namespace helio::kvm {

/// Vendor of the hardware virtualization, as in kvm_exit's field `isa`.
enum class Isa : std::uint8_t { Intel = 1, Amd = 2 };

/// Returns the text of an exit reason with the vendor's name for it, e.g. "MSR_WRITE (32)"; "(77)" if the name is unknown.
std::string exitText(Isa isa, std::int64_t reason);

} // namespace helio::kvm
