#pragma once

#include "core/base/result.h"
#include "core/correlation/correlator.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// Registry of all correlators of an experiment: the built-in ones, and those added at run time.
///
/// Threads: not synchronized. A registry must not change once traces were opened with it.
class CorrelatorRegistry {
public:
    CorrelatorRegistry() = default;

    /// Returns the registry of the built-in correlators, one object for all callers.
    static std::shared_ptr<const CorrelatorRegistry> builtin();

    /// Appends a correlator to all().
    /// Errors: Unsupported if another correlator has the same id.
    Status add(std::shared_ptr<const Correlator> kind);

    std::span<const std::shared_ptr<const Correlator>> all() const { return m_kinds; }
    /// Returns the index into all() of the correlator with this id; nullopt if no correlator has it.
    std::optional<std::size_t> find(std::string_view id) const;

private:
    std::vector<std::shared_ptr<const Correlator>> m_kinds;
};

} // namespace helio
