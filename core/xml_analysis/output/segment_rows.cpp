#include "core/xml_analysis/output/segment_rows.h"

#include "core/event_model/segment_fields.h"

namespace helio::xml {

SegmentRows::SegmentRows(const Program& program, const Texts& texts, StateSink& sink)
    : m_texts(texts)
    , m_sink(sink)
{
    SegmentKind kind{program.id, program.segmentLabel.empty() ? program.title() : program.segmentLabel, "Name", "Content"};
    kind.hasFields = true;
    if (const auto made = sink.segments().addKind(kind))
        m_kind = *made;
}

void SegmentRows::take(const PatternSegment& segment)
{
    std::string fields;
    for (const auto& [name, value] : segment.fields) {
        if (!fields.empty())
            fields += ';';
        appendFieldText(fields, *name);
        fields += '=';
        appendFieldText(fields, m_texts.shown(value));
    }
    HostSegment made;
    made.begin = segment.begin;
    made.end = segment.end;
    made.name = m_sink.string(segment.name);
    made.value = static_cast<std::int64_t>(m_sink.string(fields));
    made.kind = m_kind;
    m_sink.segments().add(made);
}

} // namespace helio::xml
