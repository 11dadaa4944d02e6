#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace helio::chromejson {

/// Splits a trace in JSON into its events without parsing them, so that a file of any size needs no more memory than its largest event,
/// and so that all events before the end of a cut file can be read.
class ObjectSplitter {
public:
    /// `text` is an array of events, or an object with the member "traceEvents".
    explicit ObjectSplitter(std::string_view text);

    /// Sets `object` to the text of the next event, with its braces. Returns false at the end of the events.
    bool next(std::string_view& object);

    /// True if the text is of neither form.
    bool isOther() const { return m_isOther; }
    /// True if the text ends within an event or before the end of the events. Valid after next() returned false.
    bool isCut() const { return m_isCut; }
    /// Another member of the trace's top-level object than "traceEvents", e.g. "metadata".
    struct Member {
        std::string_view name; ///< Name of the member as in the text: escape sequences are not decoded.
        std::string_view value; ///< JSON text of the member's value; incomplete if the text ends within it.
    };
    /// Returns the members of the top-level object, besides the array of events, that next() has passed so far, in the order of the text.
    const std::vector<Member>& otherMembers() const { return m_otherMembers; }

private:
    void skipBlanks();
    bool takeString(std::string_view& contents);
    bool skipValue();
    bool findEvents();

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_isObject = false;
    bool m_isInEvents = false;
    bool m_isOther = false;
    bool m_isCut = false;
    std::vector<Member> m_otherMembers;
};

} // namespace helio::chromejson
