#pragma once

#include "widgets/code/source_rows.h"
#include "widgets/profiling/code_view.h"
#include "widgets/profiling/sample_model.h"

namespace helio {

/// The source and the instructions of the chosen function, with the share of each line.
class SourceView : public CodeView {
    Q_OBJECT

public:
    explicit SourceView(ViewContext& context, QWidget* parent = nullptr);

private:
    struct Code {
        Annotation annotation;
        std::vector<SourceText> sources; ///< By Annotation::files.
        std::vector<FileColours> colours; ///< Likewise.
    };

    void fetch(const SourcePaths& paths) override;
    Shown shown() const override;
    Rows rows() const override;
    QString countsText() const override;
    QStringList problems() const override;
    void fillPage(EmptyPage& page) const override;
    void take(std::shared_ptr<const Code> code);

    SampleModel& m_samples;
    std::shared_ptr<const Code> m_shown; ///< Null: nothing.
    LatestJob m_job;
};

} // namespace helio
