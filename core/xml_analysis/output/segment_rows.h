#pragma once

#include "core/store/store.h"
#include "core/xml_analysis/output/tree_rows.h"
#include "core/xml_analysis/running/program_run.h"

#include <string>

namespace helio::xml {

/// Writes the segments of a pattern. Their kind has the pattern's id; their fields are stored as one text.
/// Threads: to be used by one thread.
class SegmentRows final : public SegmentReceiver {
public:
    /// Ownership: all arguments must outlive the object.
    SegmentRows(const Program& program, const Texts& texts, StateSink& sink);

    void take(const PatternSegment& segment) override;

private:
    const Texts& m_texts;
    StateSink& m_sink;
    SegmentKindId m_kind{};
};

} // namespace helio::xml
