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

/// Base class of views with a function's source lines and instructions side by side and a head above, or a page that explains why there is
/// no code. A derived class shows one recording or compares two, and decides which numbers precede the code.
class CodeView : public PanelGround {
    Q_OBJECT

public:
    const CodePane& source() const { return *m_source; }
    const CodePane& instructions() const { return *m_code; }

protected:
    /// Code to show, valid until the next refresh(). `code` is nullptr if there is nothing to show.
    struct Shown {
        const Annotation* code = nullptr;
        std::span<const SourceText> sources; ///< Source texts, indexed like Annotation::files.
    };
    struct Rows {
        std::vector<CodeRow> lines;
        std::vector<CodeRow> instructions; ///< Rows of instructions; if empty, their pane is hidden.
        std::vector<CodeJump> jumps;
    };

    /// `context` provides the dialog for files and shows messages about files that could not be opened; it outlives the view.
    explicit CodeView(ViewContext& context, QWidget* parent = nullptr);

    /// Requests the code again, because another function or other samples are to be shown. A hidden view waits until it is shown.
    void ask();
    /// Requests the code on the user's request: like ask(), but also scrolls to the hottest line if the code is the same.
    void askAndReveal();
    /// Updates the view from shown() and rows(). If there is no code, shows page(), which explains why.
    void refresh();

    /// Starts fetching the code, usually on another thread; then calls refresh(). `paths`: folders of sources.
    /// Threads: called on the UI thread.
    virtual void fetch(const SourcePaths& paths) = 0;
    /// Returns the code that fetch() fetched last.
    virtual Shown shown() const = 0;
    virtual void fillPage(EmptyPage& page) const = 0; ///< Sets the texts of the page, which explain why there is no code.
    // The functions below are only called if there is code.
    /// Returns the rows of both panes.
    virtual Rows rows() const = 0;
    virtual QString countsText() const = 0; ///< Returns the text of the counts beside file and module.
    virtual QStringList problems() const = 0; ///< Returns further problems for the user; a missing source is reported anyway.

    /// True if samples in callees also count: because the user chose so, or because the function has no samples of its own.
    bool isWithCallees() const;
    void setColumns(const std::vector<CodeColumn>& columns); ///< Sets the columns of both panes.
    /// Sets the ratio of the two panes' widths.
    void setWidths(int source, int instructions);
    void addPill(Pill* pill); ///< Adds a pill after the pill for callees.
    void setInstructionsShown(bool areShown); ///< Shows or hides the instructions, which are always shown if there are no source lines.
    EmptyPage* page() const { return m_page; }

    /// Reads the sources of `files`. To be called by fetch().
    /// Threads: any but the UI thread.
    static std::vector<SourceText> readSources(const std::vector<std::string>& files, const SourcePaths& paths);

private:
    void makeHead();
    void wire();
    void showEvent(QShowEvent* event) override;
    void showHead();
    void showPanes();
    const SourceText* missing() const; ///< First source that was not found; nullptr if all were found.
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
    std::pair<FrameKey, std::size_t> m_function; ///< Shown function, and how many of its source files were found.
    bool m_wantsCallees = false; ///< True if the user chose to count samples in callees. Without own samples, they always count.
    bool m_areInstructionsShown = true;
    bool m_isOld = true;
};

} // namespace helio
