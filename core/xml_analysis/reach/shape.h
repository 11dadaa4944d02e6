#pragma once

#include "core/xml_analysis/program.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio::xml {

/// Pattern for attributes to which a path of a program can lead: one name per step from the root of the attribute tree; nullopt matches any
/// name.
using AttributePattern = std::vector<std::optional<std::string>>;

/// Returns the pattern of a path; names that depend on the event are nullopt.
AttributePattern shapeOf(const Path& path);

/// True if an attribute can match both patterns.
bool canMeet(const AttributePattern& a, const AttributePattern& b);

/// Path to the attributes that a view shows, from the root of the attribute tree. A default-constructed path is the root; plus() and
/// plusNames() return longer paths.
class ShownPath {
public:
    /// Returns the path extended by `expressions`: regular expressions, each of which must match a whole name; `*` matches every name. An
    /// expression with `$` contains names from higher levels, so it is treated as matching every name.
    ShownPath plus(const std::vector<std::string>& expressions) const;
    /// Returns the path extended by literal names.
    ShownPath plusNames(const std::vector<std::string>& names) const;

    std::size_t size() const { return m_names.size(); }
    /// True if the path can lead to an attribute that matches the pattern.
    bool canMeet(const AttributePattern& shape) const;

private:
    class NamePattern;

    std::vector<std::shared_ptr<const NamePattern>> m_names; ///< Names from the root on; nullptr matches all names.
};

/// Attributes of an analysis that an entry of a view shows.
struct ShownAttributes {
    const ViewEntry* entry; ///< Entry that shows the attributes. Ownership: belongs to the view, which must outlive this object.
    ShownPath path; ///< Path to the attributes that become rows or curves.
    /// Path to the attributes whose values are drawn: one element, or none if the entry only groups other rows.
    std::vector<ShownPath> display;
};

/// Returns the entries of a view that show the analysis, in file order.
std::vector<ShownAttributes> findShownAttributes(const View& view, const std::string& analysis);

/// Returns the paths to the attributes that contain the call stacks.
std::vector<ShownPath> shownStacks(const CallStacks& stacks);

} // namespace helio::xml
