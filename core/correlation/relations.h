#pragma once

#include "core/base/result.h"
#include "core/correlation/relation.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// Every kind of relation that an experiment knows: those built in, and what is added at run time.
///
/// Threads: as for any value; one that traces were opened with is not changed any more.
class Relations {
public:
    /// None.
    Relations() = default;

    /// Those built in, shared by all who add nothing.
    static std::shared_ptr<const Relations> builtin();

    /// Adds a kind as the last one. Errors: Unsupported: another has its id.
    Status add(std::shared_ptr<const RelationKind> kind);

    std::span<const std::shared_ptr<const RelationKind>> all() const { return m_kinds; }
    /// Its place in all(). Nothing: none has that id.
    std::optional<std::size_t> find(std::string_view id) const;

private:
    std::vector<std::shared_ptr<const RelationKind>> m_kinds;
};

} // namespace helio
