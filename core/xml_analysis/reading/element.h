#pragma once

#include "core/xml_analysis/program.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace helio::xml {

/// Something wrong with a file, or (a warning) worth a second look.
struct Problem {
    Place place;
    std::string element; ///< "stateChange"; empty: the file.
    std::string what;
    bool isWarning = false;
    bool operator==(const Problem&) const = default;
};

/// An element of an XML file.
struct Element {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<Element> children;
    Place place;

    /// Null: it has no such attribute.
    const std::string* find(std::string_view attribute) const;
    /// Empty where it is not there.
    std::string_view text(std::string_view attribute) const;
    const Element* child(std::string_view name) const; ///< The first of that name; null: none.
};

/// Why a text cannot be read.
struct XmlFault {
    Place place;
    std::string what;
};

constexpr int MostDepth = 64;
constexpr std::size_t MostElements = 500'000;
constexpr std::size_t MostAttributes = 2'000'000;
constexpr std::size_t MostText = 4096; ///< Bytes of a name, constant, label...
constexpr std::size_t MostList = 65'536; ///< and of what may list many: events, actions, conditions, a path.
constexpr std::size_t MostBytes = std::size_t(32) << 20;

/// The root element of an XML text in any encoding that the text names; places are those of the text as UTF-8. No entities but those of XML
/// itself are known, no other file is ever read, and what is deeper or larger than the limits above is refused. Of text between the tags,
/// and of what stands beside the root, which mean nothing, it adds warnings. Cost: linear.
std::variant<Element, XmlFault> readXml(std::string_view text, std::vector<Problem>& warnings);

} // namespace helio::xml
