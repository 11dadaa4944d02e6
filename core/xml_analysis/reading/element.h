#pragma once

#include "core/xml_analysis/program.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helio::xml {

/// An error or a warning about a file.
struct Problem {
    SourcePosition place;
    std::string element; ///< Name of the element, for example "stateChange"; empty if the problem concerns the whole file.
    std::string what;
    bool isWarning = false;
    bool operator==(const Problem&) const = default;
};

/// An element of an XML file with its attributes and children, as readXml() reads it.
struct Element {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<Element> children;
    SourcePosition place;

    /// Returns the attribute's text; nullptr if the attribute is missing.
    const std::string* find(std::string_view attribute) const;
    /// Returns the attribute's text; empty if the attribute is missing.
    std::string_view text(std::string_view attribute) const;
    const Element* child(std::string_view name) const; ///< Returns the first child with the name; nullptr if there is no such child.
};

/// Reason why a text is not readable as XML.
struct XmlFault {
    SourcePosition place;
    std::string what;
};

constexpr int MostDepth = 64;
constexpr std::size_t MostElements = 500'000;
constexpr std::size_t MostAttributes = 2'000'000;
constexpr std::size_t MostText = 4096; ///< Maximum size in bytes of a name, constant, label and the like.
/// Maximum size in bytes of an attribute that may list many names: events, actions, conditions, a path.
constexpr std::size_t MostList = 65'536;
constexpr std::size_t MostBytes = std::size_t(32) << 20;

/// Parses an XML text in any encoding that the text declares and returns its root element. Positions refer to the text as UTF-8.
///
/// For safety, only the predefined entities of XML are accepted, no other file is ever read, and a text that exceeds a limit (MostDepth to
/// MostBytes in this header) is rejected. Text between the tags and anything outside of the root has no meaning; `warnings` reports it.
/// Cost: linear.
std::variant<Element, XmlFault> readXml(std::string_view text, std::vector<Problem>& warnings);

} // namespace helio::xml
