#pragma once

#include "core/query/annotation.h"
#include "core/query/source_text.h"
#include "widgets/shell/field_grid.h"
#include "widgets/views/sample_model.h"
#include "widgets/code/source_rows.h"
#include "widgets/views/view_context.h"
#include "widgets/work/latest_job.h"

class QSplitter;
class QStackedWidget;

namespace helio {

class EmptyPage;
class Pill;

/// The source and the instructions of the chosen function, with the share of each line.
class SourceView : public PanelGround {
    Q_OBJECT

public:
    explicit SourceView(ViewContext& context, QWidget* parent = nullptr);

    const CodePane& source() const { return *m_source; }
    const CodePane& instructions() const { return *m_code; }

private:
    /// What is shown.
    struct Shown {
        Annotation annotation;
        std::vector<SourceText> sources; ///< By Annotation::files.
    };

    void makeHead();
    void wire();
    void showEvent(QShowEvent* event) override;
    void fetch();
    void take(std::shared_ptr<const Shown> shown);
    void fill();
    void showState();
    void light(const CodePane& from, CodePane& other, int row);
    void follow(const CodePane& from, CodePane& other, int row);
    void openEditor(int row);
    void editPaths();
    const SourceText* missing() const; ///< Null: all is there.

    ViewContext& m_context;
    SampleModel& m_samples;
    QLabel* m_title;
    QLabel* m_place;
    Pill* m_withCallees;
    Pill* m_editor;
    Pill* m_paths;
    QLabel* m_problem;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QSplitter* m_panes;
    CodePane* m_source;
    CodePane* m_code;
    std::shared_ptr<const Shown> m_shown;
    ShareChoice m_choice;
    bool m_isOld = true;
    LatestJob m_job;
};

} // namespace helio
