#pragma once

#include "core/xml_analysis/program.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helio::xml {

/// An error in a file, or a warning.
struct Problem {
    SourcePosition place;
    std::string element; ///< Name of the element, e.g. "stateChange"; empty: the whole file.
    std::string what;
    bool isWarning = false;
    bool operator==(const Problem&) const = default;
};

/// An element of an XML file.
struct Element {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<Element> children;
    SourcePosition place;

    /// Returns the attribute's text; nullptr if the attribute is missing.
    const std::string* find(std::string_view attribute) const;
    /// Returns the attribute's text; empty if the attribute is missing.
    std::string_view text(std::string_view attribute) const;
    const Element* child(std::string_view name) const; ///< First child with the name; nullptr if there is none.
};

/// Reason why a text cannot be read.
struct XmlFault {
    SourcePosition place;
    std::string what;
};

constexpr int MostDepth = 64;
constexpr std::size_t MostElements = 500'000;
constexpr std::size_t MostAttributes = 2'000'000;
constexpr std::size_t MostText = 4096; ///< Bytes of a name, constant, label and so on.
constexpr std::size_t MostList = 65'536; ///< Bytes of an attribute that may list many names: events, actions, conditions, a path.
constexpr std::size_t MostBytes = std::size_t(32) << 20;

/// Returns the root element of an XML text in any encoding that the text declares; places refer to the text as UTF-8. Only the entities of
/// XML itself are known, no other file is ever read, and a text that is deeper or larger than the limits above is refused. Adds warnings
/// for text between the tags and for anything beside the root: both mean nothing.
/// Cost: linear.
std::variant<Element, XmlFault> readXml(std::string_view text, std::vector<Problem>& warnings);

} // namespace helio::xml
