#include "core/declared/reading/element.h"
#include "core/declared/reading/encoding.h"
#include "core/declared/reading/entities.h"

#include <algorithm>
#include <pugixml.hpp>

namespace helio::declared {

const std::string* Element::find(std::string_view attribute) const
{
    const auto found = std::ranges::find(attributes, attribute, &std::pair<std::string, std::string>::first);
    return found != attributes.end() ? &found->second : nullptr;
}

std::string_view Element::text(std::string_view attribute) const
{
    const std::string* found = find(attribute);
    return found ? std::string_view(*found) : std::string_view();
}

const Element* Element::child(std::string_view wanted) const
{
    const auto found = std::ranges::find(children, wanted, &Element::name);
    return found != children.end() ? &*found : nullptr;
}

namespace {

/// Where the lines of a text begin.
class Lines {
public:
    explicit Lines(std::string_view text)
    {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n')
                m_begins.push_back(i + 1);
    }
    Place placeOf(std::size_t offset) const
    {
        const auto line = std::ranges::upper_bound(m_begins, offset) - 1;
        return {static_cast<std::uint32_t>(line - m_begins.begin() + 1), static_cast<std::uint32_t>(offset - *line + 1)};
    }

private:
    std::vector<std::size_t> m_begins{0};
};

/// Copies the nodes of a document, within the limits.
class Copy {
public:
    explicit Copy(const Lines& lines)
        : m_lines(lines)
    {
    }

    /// False: there is too much; fault() says of what.
    bool take(const pugi::xml_node& from, Element& to, int depth)
    {
        // The offset is that of the name.
        to.place = m_lines.placeOf(static_cast<std::size_t>(std::max<std::ptrdiff_t>(from.offset_debug() - 1, 0)));
        if (depth > MostDepth)
            return refuse(to.place, "elements are nested more than " + std::to_string(MostDepth) + " deep");
        if (++m_count > MostElements)
            return refuse(to.place, "there are more than " + std::to_string(MostElements) + " elements");
        to.name = from.name();
        for (const pugi::xml_attribute& attribute : from.attributes()) {
            if (++m_attributes > MostAttributes)
                return refuse(to.place, "there are more than " + std::to_string(MostAttributes) + " attributes");
            to.attributes.emplace_back(attribute.name(), attribute.value());
        }
        for (const pugi::xml_node& child : from.children())
            if (child.type() == pugi::node_element && !take(child, to.children.emplace_back(), depth + 1))
                return false;
        return true;
    }
    const XmlFault& fault() const { return m_fault; }

private:
    bool refuse(Place place, std::string what)
    {
        m_fault = {place, std::move(what)};
        return false;
    }

    const Lines& m_lines;
    std::size_t m_count = 0;
    std::size_t m_attributes = 0;
    XmlFault m_fault;
};

/// The library's words say what it met, not what is wrong.
std::string wordsOf(const pugi::xml_parse_result& result)
{
    switch (result.status) {
    case pugi::status_end_element_mismatch: return "an end tag does not match its start tag, or one is missing";
    case pugi::status_bad_start_element: return "a start tag is malformed";
    case pugi::status_bad_end_element: return "an end tag is malformed";
    case pugi::status_bad_attribute: return "an attribute is malformed";
    case pugi::status_bad_comment: return "a comment does not end";
    case pugi::status_bad_cdata: return "a CDATA section does not end";
    case pugi::status_bad_doctype: return "the document type declaration is malformed";
    case pugi::status_bad_pi: return "a declaration or processing instruction is malformed";
    case pugi::status_no_document_element: return "there is no element";
    case pugi::status_unrecognized_tag: return "\"<\" is followed by something that is no tag";
    case pugi::status_out_of_memory: return "there is not enough memory";
    default: return "it cannot be read as XML";
    }
}

} // namespace

std::variant<Element, XmlFault> readXml(std::string_view text)
{
    if (text.size() > MostBytes)
        return XmlFault{{}, "it is larger than " + std::to_string(MostBytes >> 20) + " MiB"};
    const Decoded decoded = toUtf8(text);
    text = decoded.text;
    const Lines lines(text);
    if (!decoded.fault.empty())
        return XmlFault{lines.placeOf(text.size()), decoded.fault};
    if (const auto fault = faultOfEntities(text))
        return XmlFault{lines.placeOf(fault->offset), fault->what};
    pugi::xml_document document;
    const auto result = document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
        return XmlFault{lines.placeOf(std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text.size())),
                        wordsOf(result)};
    Element root;
    Copy copy(lines);
    if (!copy.take(document.document_element(), root, 1))
        return copy.fault();
    return root;
}

} // namespace helio::declared
