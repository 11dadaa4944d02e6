#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/output/text_buffer.h"
#include "core/trace/event.h"

#include <string>
#include <vector>

namespace helio {

/// Plan for writing the fields of one event type, computed once per type. Numbers and plain texts, which most fields are, are written
/// directly from the bytes of the trace. The output equals that of field_output.h.
///
/// Immutable.
/// Threads: any.
/// Ownership: the event type outlives the plan.
class FieldPlan {
public:
    /// Fields to write: the payload, or both contexts (stream context, then event context).
    enum class Part : std::uint8_t { Fields, Context };
    FieldPlan(const EventType& type, Part part, OutputFormat format);

    /// Appends the fields of an event. Returns false and appends nothing if a field must be decoded with field_output.h.
    bool append(TextBuffer& out, const EventView& event) const;

    /// True if events of the type have no fields.
    bool isEmpty() const { return m_isPossible && m_steps.empty(); }

private:
    enum class Kind : std::uint8_t { Unsigned, Signed, Enumeration, Real, Text, Characters };
    struct Step {
        std::string before; ///< Text before the value: separator and name of the field.
        Kind kind = Kind::Unsigned;
        std::uint64_t alignment = 1; ///< Alignment of the member in bits.
        /// For the first field of a section: alignment of the whole section in bits. For every later field: 1.
        std::uint64_t structAlignment = 1;
        const FieldType* type = nullptr;
        std::uint64_t count = 0; ///< Number of characters in a character array.
        std::vector<std::string> labels; ///< Labels of an enumeration's ranges, in the form to be written.
        bool isQuoted = false;
    };

    bool addSection(const EventType& type, Section section);
    bool addMember(const std::string& name, const FieldType& type);
    bool hasDuplicateNames() const;

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
