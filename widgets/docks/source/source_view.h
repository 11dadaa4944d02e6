#pragma once

#include "widgets/code/source_rows.h"
#include "widgets/profiling/code_view.h"
#include "widgets/profiling/sample_model.h"

namespace helio {

/// Source and instructions of the chosen function, with the share of each line.
class SourceView : public CodeView {
    Q_OBJECT

public:
    explicit SourceView(ViewContext& context, QWidget* parent = nullptr);

private:
    struct Code {
        Annotation annotation;
        std::vector<SourceText> sources; ///< Indexed like Annotation::files.
        std::vector<FileTokens> colours; ///< Indexed like Annotation::files.
    };

    void fetch(const SourcePaths& paths) override;
    Shown shown() const override;
    Rows rows() const override;
    QString countsText() const override;
    QStringList problems() const override;
    void fillPage(EmptyPage& page) const override;
    void take(std::shared_ptr<const Code> code);

    SampleModel& m_samples;
    std::shared_ptr<const Code> m_shown; ///< nullptr if nothing is shown.
    LatestTask m_job;
};

} // namespace helio
