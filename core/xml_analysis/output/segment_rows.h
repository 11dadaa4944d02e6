#pragma once

#include "core/store/store.h"
#include "core/xml_analysis/output/any_values.h"
#include "core/xml_analysis/running/program_run.h"

#include <string>

namespace helio::xml {

/// The segments of a pattern: one kind, with the pattern's id; what they contain as text. One thread.
class SegmentRows final : public SegmentTaker {
public:
    /// All of them outlive it.
    SegmentRows(const Program& program, const Texts& texts, StateSink& sink);

    void take(const MadeSegment& segment) override;

private:
    const Texts& m_texts;
    StateSink& m_sink;
    SegmentKindId m_kind{};
};

} // namespace helio::xml
