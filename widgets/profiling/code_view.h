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

/// Base class of views that show a function's source lines and instructions side by side, with a head above, or a page that says why there
/// is no code. A derived class shows one recording or compares two; it decides which numbers stand before the code.
class CodeView : public PanelGround {
    Q_OBJECT

public:
    const CodePane& source() const { return *m_source; }
    const CodePane& instructions() const { return *m_code; }

protected:
    /// Code to show; it stays valid until the next refresh(). Without `code` there is nothing to show.
    struct Shown {
        const Annotation* code = nullptr;
        std::span<const SourceText> sources; ///< Indexed like Annotation::files.
    };
    struct Rows {
        std::vector<CodeRow> lines;
        std::vector<CodeRow> instructions; ///< If it is empty, the pane of instructions is hidden.
        std::vector<CodeJump> jumps;
    };

    /// `context` asks the user for files and reports files that could not be opened; it outlives the view.
    explicit CodeView(ViewContext& context, QWidget* parent = nullptr);

    /// To be called when another function or other samples are to be shown: fetches them now, or once the view is visible.
    void ask();
    /// Like ask(), for a request of the user: scrolls to the hottest line even if the code is the same.
    void askAndReveal();
    /// Shows the results of shown() and rows(), or the page if there is no code.
    void refresh();

    /// Gets the code to show, usually on a background thread, then calls refresh(). `paths`: folders of sources.
    /// Threads: called on the UI thread.
    virtual void fetch(const SourcePaths& paths) = 0;
    /// Returns the code that fetch() got last.
    virtual Shown shown() const = 0;
    virtual void fillPage(EmptyPage& page) const = 0; ///< Makes the page say why there is no code.
    // The functions below require that there is code.
    /// Returns the lines of both panes.
    virtual Rows rows() const = 0;
    virtual QString countsText() const = 0; ///< Text of the counts beside file and module.
    virtual QStringList problems() const = 0; ///< Problems for the user, besides a missing source.

    /// True if samples in callees count, too: the user's choice, or necessary because the function has no samples of its own.
    bool isWithCallees() const;
    void setColumns(const std::vector<CodeColumn>& columns); ///< Sets the columns of both panes.
    /// Sets the ratio of the widths of both panes.
    void setWidths(int source, int instructions);
    void addPill(Pill* pill); ///< Adds a pill after the one that selects callees.
    void setInstructionsShown(bool areShown); ///< Shows or hides the instructions; without source lines they are always shown.
    EmptyPage* page() const { return m_page; }

    /// Reads the sources of `files`, for use in fetch(). Threads: any but the UI thread.
    static std::vector<SourceText> readSources(const std::vector<std::string>& files, const SourcePaths& paths);

private:
    void makeHead();
    void wire();
    void showEvent(QShowEvent* event) override;
    void showHead();
    void showPanes();
    const SourceText* missing() const; ///< nullptr if every source was found.
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
    std::pair<FrameKey, std::size_t> m_function; ///< Function in the panes, and the number of its source files found.
    bool m_wantsCallees = false; ///< True if the user wants callees included for functions that have samples of their own.
    bool m_areInstructionsShown = true;
    bool m_isOld = true;
};

} // namespace helio
