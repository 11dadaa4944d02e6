#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/output/text_buffer.h"
#include "core/trace/event.h"

#include <string>
#include <vector>

namespace helio {

/// How one event type's fields are written, worked out once: most are numbers and plain text one after the other, which are written
/// straight from the recording's bytes. The words are those of field_output.h.
///
/// Immutable; any thread; lives no longer than its event type.
class FieldPlan {
public:
    /// The members of the payload, or of both contexts, in this order.
    enum class Part : std::uint8_t { Fields, Context };
    FieldPlan(const EventType& type, Part part, OutputFormat format);

    /// Appends the members. False: the event has what must be decoded for it; nothing is appended.
    bool append(TextBuffer& out, const EventView& event) const;

    /// No event of the type has any.
    bool isEmpty() const { return m_isPossible && m_steps.empty(); }

private:
    enum class Kind : std::uint8_t { Unsigned, Signed, Enumeration, Real, Text, Characters };
    struct Step {
        std::string before; ///< What is between the value before and this one, name included.
        Kind kind = Kind::Unsigned;
        std::uint64_t alignment = 1; ///< Bits, of this one...
        std::uint64_t structAlignment = 1; ///< ...and of its section, where it is the first of that.
        const FieldType* type = nullptr;
        std::uint64_t count = 0; ///< Characters.
        std::vector<std::string> labels; ///< Of an enumeration's ranges, as they are written.
        bool isQuoted = false;
    };

    bool addSection(const EventType& type, Section section);
    bool addMember(const std::string& name, const FieldType& type);
    bool hasTwins() const;

    bool appendStep(TextBuffer& out, const Step& step, const PacketBytes& packet, std::uint64_t& bit) const;
    bool appendText(TextBuffer& out, const Step& step, const PacketBytes& packet, std::uint64_t& bit) const;
    bool appendCharacters(TextBuffer& out, std::string_view text) const;
    void appendNumber(TextBuffer& out, std::uint64_t bits, bool isSigned, DisplayBase base) const;
    void appendEnumeration(TextBuffer& out, const Step& step, std::int64_t number) const;

    OutputFormat m_format;
    bool m_isPossible = true;
    Part m_part;
    std::vector<std::string> m_names;
    std::vector<Step> m_steps;
};

} // namespace helio
