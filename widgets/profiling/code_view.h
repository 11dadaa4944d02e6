#pragma once

#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/source_text.h"
#include "widgets/code/source_rows.h"
#include "widgets/controls/field_grid.h"
#include "widgets/flame/view/flame_path.h"
#include "widgets/workspace/view_context.h"

#include <span>

class QHBoxLayout;
class QSplitter;
class QStackedWidget;

namespace helio {

class EmptyPage;
class Pill;

/// The source lines of a function and its instructions beside each other, with a head above; or a page that says why there is none.
/// Of one recording or of two: what numbers stand before the code is the heirs'.
class CodeView : public PanelGround {
    Q_OBJECT

public:
    const CodePane& source() const { return *m_source; }
    const CodePane& instructions() const { return *m_code; }

protected:
    /// What is shown, and stays until the next refresh(). Without a code: nothing.
    struct Shown {
        const Annotation* code = nullptr;
        std::span<const SourceText> sources; ///< By Annotation::files.
    };
    struct Rows {
        std::vector<CodeRow> lines;
        std::vector<CodeRow> instructions; ///< None: their pane is hidden.
        std::vector<CodeJump> jumps;
    };

    /// The context, which outlives it, asks for files and says what could not be opened.
    explicit CodeView(ViewContext& context, QWidget* parent = nullptr);

    /// Something else is to be shown: it is fetched now, or as soon as the view is visible.
    void ask();
    /// The same, and the hottest line is brought into view, though the code may be the same: a person asked for it.
    void askAnew();
    /// Shows what shown() returns now.
    void refresh();

    /// Gets what is to be shown, and calls refresh(). `paths`: where sources lie.
    virtual void fetch(const SourcePaths& paths) = 0;
    virtual Shown shown() const = 0;
    virtual void fillPage(EmptyPage& page) const = 0; ///< Says why there is no code.
    // These require that there is a code:
    virtual Rows rows() const = 0;
    virtual QString countsText() const = 0; ///< Beside file and module.
    virtual QStringList problems() const = 0; ///< Besides a source that was not found.

    bool isWithCallees() const;
    void setColumns(const std::vector<CodeColumn>& columns); ///< Of both panes.
    void setWidths(int source, int instructions);
    void addPill(Pill* pill); ///< After what chooses what is counted.
    void setInstructionsShown(bool areShown); ///< They are in any case where there are no source lines.
    EmptyPage* page() const { return m_page; }

    /// For fetch(). Not from the UI's thread.
    static std::vector<SourceText> readSources(const std::vector<std::string>& files, const SourcePaths& paths);

private:
    void makeHead();
    void wire();
    void showEvent(QShowEvent* event) override;
    void showHead();
    void showPanes();
    const SourceText* missing() const; ///< Null: all is there.
    void light(CodePane& from, CodePane& other, int row);
    void follow(CodePane& from, CodePane& other, int row);
    void openEditor(int row);
    void editPaths();

    ViewContext& m_context;
    QLabel* m_title;
    QLabel* m_place;
    QLabel* m_problem;
    QHBoxLayout* m_pills;
    Pill* m_withCallees;
    Pill* m_editor;
    Pill* m_paths;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QSplitter* m_panes;
    CodePane* m_source;
    CodePane* m_code;
    std::pair<FrameKey, std::size_t> m_function; ///< Whose code the panes have, of how many files.
    bool m_wantsCallees = false; ///< For functions that have samples of their own.
    bool m_areInstructionsShown = true;
    bool m_isOld = true;
};

} // namespace helio
