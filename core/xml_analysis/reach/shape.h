#pragma once

#include "core/xml_analysis/program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio::xml {

/// Attributes that a path of a program can lead to: a name for each step from the tree's root; an unset name is any name.
using AttributePattern = std::vector<std::optional<std::string>>;

AttributePattern shapeOf(const Path& path);

/// True if both can lead to the same attribute.
bool canMeet(const AttributePattern& a, const AttributePattern& b);

/// Path that a view looks for. A name is a regular expression for the whole name, or literal. A name that is not known in advance fits all
/// names.
class ShownPath {
public:
    /// Returns the path with more names, which are regular expressions.
    ShownPath plus(const std::vector<std::string>& expressions) const;
    /// Returns the path with more names, which are literal.
    ShownPath plusNames(const std::vector<std::string>& names) const;

    std::size_t size() const { return m_names.size(); }
    /// True if the path can lead to an attribute of the shape.
    bool canMeet(const AttributePattern& shape) const { return shape.size() == size() && fitsBeginOf(shape); }
    /// True if the path can lead to an attribute of the shape, or to one above it.
    bool canLeadTo(const AttributePattern& shape) const { return shape.size() >= size() && fitsBeginOf(shape); }

private:
    class Name;
    bool fitsBeginOf(const AttributePattern& shape) const;

    std::vector<std::shared_ptr<const Name>> m_names; ///< nullptr if the name fits all names.
};

} // namespace helio::xml
