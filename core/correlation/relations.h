#pragma once

#include "core/base/result.h"
#include "core/correlation/relation.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// Registry of all correlators of an experiment: built-in ones, and those added at run time.
///
/// Threads: not thread-safe while it is filled; it no longer changes once traces were opened with it.
class Relations {
public:
    /// Makes an empty registry.
    Relations() = default;

    /// The registry of the built-in correlators, shared by all callers.
    static std::shared_ptr<const Relations> builtin();

    /// Adds a correlator at the end.
    /// Errors: Unsupported if another correlator has the same id.
    Status add(std::shared_ptr<const RelationKind> kind);

    std::span<const std::shared_ptr<const RelationKind>> all() const { return m_kinds; }
    /// Index into all(); empty if no correlator has the id.
    std::optional<std::size_t> find(std::string_view id) const;

private:
    std::vector<std::shared_ptr<const RelationKind>> m_kinds;
};

} // namespace helio
