#pragma once

#include "widgets/code/source_rows.h"
#include "widgets/profiling/code_view.h"
#include "widgets/profiling/sample_model.h"

namespace helio {

/// Dock with source and instructions of the selected function, with the share of samples in each line.
class SourceView : public CodeView {
    Q_OBJECT

public:
    explicit SourceView(ViewContext& context, QWidget* parent = nullptr);

private:
    struct Code {
        Annotation annotation;
        std::vector<SourceText> sources; ///< Source texts, indexed like Annotation::files.
        std::vector<FileTokens> colours; ///< Tokens for syntax colouring, indexed like Annotation::files.
    };

    void fetch(const SourcePaths& paths) override;
    Shown shown() const override;
    Rows rows() const override;
    QString countsText() const override;
    QStringList problems() const override;
    void fillPage(EmptyPage& page) const override;
    void take(std::shared_ptr<const Code> code);

    SampleModel& m_samples;
    std::shared_ptr<const Code> m_shown; ///< Shown code; nullptr if there is none.
    LatestTask m_job;
};

} // namespace helio
