#pragma once

#include "core/base/result.h"
#include "core/correlation/correlator.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// Registry of all correlators of an experiment: built-in ones, and those added at run time.
///
/// Threads: not thread-safe while it is filled; it no longer changes once traces were opened with it.
class CorrelatorRegistry {
public:
    /// Makes an empty registry.
    CorrelatorRegistry() = default;

    /// The registry of the built-in correlators, shared by all callers.
    static std::shared_ptr<const CorrelatorRegistry> builtin();

    /// Adds a correlator at the end.
    /// Errors: Unsupported if another correlator has the same id.
    Status add(std::shared_ptr<const Correlator> kind);

    std::span<const std::shared_ptr<const Correlator>> all() const { return m_kinds; }
    /// Index into all(); empty if no correlator has the id.
    std::optional<std::size_t> find(std::string_view id) const;

private:
    std::vector<std::shared_ptr<const Correlator>> m_kinds;
};

} // namespace helio
