#pragma once

#include "core/xml_analysis/program.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio::xml {

/// The attributes that a path of a program can lead to: a name for each step from the root of the attribute tree. An unset name stands for
/// any name.
using AttributePattern = std::vector<std::optional<std::string>>;

/// Returns the pattern of a path; steps whose names depend on the event are unset.
AttributePattern shapeOf(const Path& path);

/// True if both patterns match a common attribute.
bool canMeet(const AttributePattern& a, const AttributePattern& b);

/// The attributes that a view shows: a path from the root of the attribute tree. A default-constructed path is the root; plus() and
/// plusNames() return longer paths.
class ShownPath {
public:
    /// Returns the path followed by names that are regular expressions for the whole name, in which `*` stands for any characters. A name
    /// with a `$` depends on the names above it, and therefore matches all names.
    ShownPath plus(const std::vector<std::string>& expressions) const;
    /// Returns the path followed by literal names.
    ShownPath plusNames(const std::vector<std::string>& names) const;

    std::size_t size() const { return m_names.size(); }
    /// True if the path can lead to an attribute that the pattern matches.
    bool canMeet(const AttributePattern& shape) const;

private:
    class Name;

    std::vector<std::shared_ptr<const Name>> m_names; ///< Names from the root; nullptr matches all names.
};

/// Attributes of an analysis that an entry of a view shows.
struct ShownAttributes {
    const ViewEntry* entry; ///< Entry of the view; valid as long as the view.
    ShownPath path; ///< Path to the attributes of its rows or curves.
    std::vector<ShownPath> display; ///< Path to the attributes with the values; at most one.
};

/// Returns the entries of a view that show the analysis, in file order.
std::vector<ShownAttributes> findShownAttributes(const View& view, const std::string& analysis);

/// Returns the attributes that contain the call stacks.
std::vector<ShownPath> shownStacks(const CallStacks& stacks);

} // namespace helio::xml
