#pragma once

#include "widgets/sql/sql_language.h"

#include <QPlainTextEdit>
#include <QPointer>

namespace helio {

class SqlCompletionList;
class SqlHighlighter;
struct SqlFailure;

/// Part of the text of an editor.
struct SqlExcerpt {
    QString text;
    int offset = 0; ///< Position of the first character in the text of the editor.
};

/// Editor for queries: line numbers, colours, completion, and a wave below a mistake.
/// Threads: UI thread.
class SqlEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    static constexpr int GutterWidth = 38; ///< Width of the line numbers in pixels.

    explicit SqlEditor(QWidget* parent = nullptr);
    ~SqlEditor() override;

    void setNames(SqlNames names);
    /// Replaces the text as one step that the user can undo.
    void setQuery(const QString& query);
    /// Underlines the text from position `first` up to `second` until the text changes; an empty range underlines nothing.
    void setMistake(std::pair<int, int> range);
    bool hasMistake() const { return m_mistake.second > m_mistake.first; }
    SqlExcerpt excerptToRun() const; ///< Returns the selected text, or all of it if nothing is selected.
    /// Underlines the mistake of a query that failed. Returns false, and underlines nothing, if the user has changed the text since.
    bool underlineFailure(const SqlFailure& failure, const SqlExcerpt& ran);
    QString failureText(const SqlFailure& failure, const SqlExcerpt& ran) const; ///< Returns the position in the editor and the message.
    QString cursorText() const; ///< Returns the position of the cursor, for example "Line 2, column 5".
    void insertName(const QString& name); ///< Inserts a name at the cursor, with blanks around it where needed.
    SqlCompletionList* completions() const; ///< List of names; hidden while there is none to choose.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    class Gutter;

    void updateLook();
    void updateMarks();
    void complete(bool isAsked);
    void acceptCompletion();
    void indentNewLine();
    void paintGutter(QPaintEvent* event);

    SqlNames m_names;
    SqlHighlighter* m_highlighter;
    Gutter* m_gutter;
    QPointer<SqlCompletionList> m_list; ///< A child of the window, so that it may reach beyond the editor.
    std::pair<int, int> m_mistake{}; ///< Range of the underlined text; empty if nothing is underlined.
    bool m_isCompleting = false; ///< True while a name is inserted, which is no reason to offer names.
};

} // namespace helio
