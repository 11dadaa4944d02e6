#pragma once

#include "core/xml_analysis/program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio::xml {

/// The attributes that a path of a program can lead to: a name for each step from the tree's root. Nothing: any name.
using Shape = std::vector<std::optional<std::string>>;

Shape shapeOf(const Path& path);

/// Whether both can lead to one attribute.
bool canMeet(const Shape& a, const Shape& b);

/// A path that a view looks for: a name is an expression for whole names, or (literal) just that. Where it is not known what a name stands
/// for, it fits all.
class ShownPath {
public:
    ShownPath plus(const std::vector<std::string>& expressions) const;
    ShownPath plusNames(const std::vector<std::string>& names) const;

    std::size_t size() const { return m_names.size(); }
    /// Whether it can lead to an attribute that the shape can.
    bool canMeet(const Shape& shape) const { return shape.size() == size() && fitsBeginOf(shape); }
    /// The same of one that the attribute is below of, or is.
    bool canLeadTo(const Shape& shape) const { return shape.size() >= size() && fitsBeginOf(shape); }

private:
    class Name;
    bool fitsBeginOf(const Shape& shape) const;

    std::vector<std::shared_ptr<const Name>> m_names; ///< Null: it fits all.
};

} // namespace helio::xml
