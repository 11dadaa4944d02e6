#pragma once

#include "core/compare/annotation_difference.h"
#include "core/compare/difference_steps.h"
#include "widgets/code/source_rows.h"
#include "widgets/compare/difference_model.h"
#include "widgets/shell/field_grid.h"

class QSplitter;
class QStackedWidget;

namespace helio {

class EmptyPage;
class Pill;

/// The source lines and instructions of the chosen function: each with its share of the function in A and in B, and what changed.
class DifferenceSourceView : public PanelGround {
    Q_OBJECT

public:
    explicit DifferenceSourceView(DifferenceModel& model, QWidget* parent = nullptr);

    const CodePane& source() const { return *m_source; }
    const CodePane& instructions() const { return *m_code; }

private:
    struct Shown {
        AnnotationDifference difference;
        std::vector<SourceText> sources; ///< By the files of its code.
        DifferenceScale scale;
        DifferenceUnit unit;
    };

    void makeHead();
    void wire();
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void fetch();
    void take(std::shared_ptr<const Shown> shown);
    void fill();
    void showState();
    void showInstructions();
    std::vector<CodeCell> cellsOf(const ComparedCode& code, const DifferenceSteps& steps) const;
    void fillRows(std::vector<CodeRow>& rows, const std::vector<ComparedCode>& code, bool byLink) const;
    void follow(const CodePane& from, CodePane& other, int row);
    const ComparedSum& sumOf(const ComparedCode& code) const { return m_withCalleesOn ? code.total : code.self; }

    DifferenceModel& m_model;
    QLabel* m_title;
    QLabel* m_place;
    QLabel* m_problem;
    Pill* m_withCallees;
    Pill* m_instructions; ///< Whether they are shown. Until it is clicked: where there is room.
    bool m_isChosenByHand = false;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QSplitter* m_panes;
    CodePane* m_source;
    CodePane* m_code;
    std::shared_ptr<const Shown> m_shown; ///< Null: nothing.
    bool m_withCalleesOn = false;
    bool m_isOld = true;
    LatestJob m_job;
};

} // namespace helio
