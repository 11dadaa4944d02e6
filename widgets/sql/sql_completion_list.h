#pragma once

#include "widgets/sql/sql_language.h"

#include <QFrame>

class QLabel;
class QListView;

namespace helio {

class SqlCompletionModel;

/// Popup with names that can be inserted. It never takes the focus: the editor forwards keys. It is a child of the window, not a window of
/// its own, so it works on all desktops.
class SqlCompletionList : public QFrame {
    Q_OBJECT

public:
    explicit SqlCompletionList(QWidget* parent);

    /// Shows names below the line `line`, above it where there is no room below. `line`: rectangle of the line, in the parent's pixels.
    void offer(SqlCompletions completions, const QRect& line);
    const SqlCompletions& offered() const { return m_completions; }
    void step(int by); ///< Selects a name further down, or up if `by` is negative.
    const SqlCompletion* current() const; ///< Selected name; nullptr if there is none.

signals:
    void accepted(); ///< Emitted when the user clicked a name.

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showHelp();

    SqlCompletions m_completions;
    SqlCompletionModel* m_model;
    QListView* m_view;
    QLabel* m_help;
};

} // namespace helio
