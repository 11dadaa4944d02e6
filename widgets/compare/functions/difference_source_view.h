#pragma once

#include "core/compare/annotation_difference.h"
#include "core/compare/difference_steps.h"
#include "widgets/code/source_rows.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/profiling/code_view.h"

namespace helio {

/// View with the source lines and instructions of the selected function. Each line and instruction has its share of the function's samples
/// in A and in B, and the change.
class DifferenceSourceView : public CodeView {
    Q_OBJECT

public:
    explicit DifferenceSourceView(DifferenceModel& model, QWidget* parent = nullptr);

private:
    struct Code {
        AnnotationDifference difference;
        std::vector<SourceText> sources; ///< Source texts, indexed like difference.code.files.
        std::vector<FileTokens> colours; ///< Tokens for syntax colouring, indexed like `sources`.
        DifferenceScale scale;
        DifferenceUnit unit;
    };

    void resizeEvent(QResizeEvent* event) override;
    void fetch(const SourcePaths& paths) override;
    Shown shown() const override;
    Rows rows() const override;
    QString countsText() const override;
    QStringList problems() const override;
    void fillPage(EmptyPage& page) const override;
    void take(std::shared_ptr<const Code> code);
    std::vector<CodeCell> cellsOf(const ComparedCode& code, const DifferenceSteps& steps) const;
    void fillRows(std::vector<CodeRow>& rows, const std::vector<ComparedCode>& code, bool byLink) const;
    const ComparedSum& sumOf(const ComparedCode& code) const { return isWithCallees() ? code.total : code.self; }

    DifferenceModel& m_model;
    Pill* m_instructions; ///< Pill that shows or hides the instructions. Until the user clicks it, they are shown if there is room.
    bool m_isChosenByHand = false;
    std::shared_ptr<const Code> m_shown; ///< Shown code; nullptr if there is none.
    LatestTask m_job;
};

} // namespace helio
