#pragma once

#include "app/gui/common/navigator.h"
#include "app/gui/common/session.h"
#include "widgets/timeline/panels/time_area.h"

#include <QPointer>

class QWidget;

namespace helio {

class StatusBar;

/// One experiment of a window: its session, what its views share, and the time panels that show it. Asks the person in dialogs of the
/// window, and says in the window's status bar what there is to say.
///
/// The window puts area(), and area().overview() if it likes, where they belong; from then on they are its widgets. Whatever else shows the
/// context, such as docks, has to go before the pane. UI thread.
class ExperimentPane : public QObject {
    Q_OBJECT

public:
    /// `letter` names it among the panes of its window, "A"; empty: it is the only one.
    ExperimentPane(QWidget& window, StatusBar& status, const QString& letter = {});
    ~ExperimentPane() override;

    const QString& letter() const { return m_letter; }
    ViewContext& context() { return m_context; }
    TimeWindow& time() { return m_context.time(); }
    Session& session() { return m_session; }
    Navigator& navigator() { return m_navigator; }
    TimeArea& area() { return *m_area; }
    TimeAxis& axis() { return m_area->axis(); }

    /// Gives the keys to the rows, and whether they have them.
    void focusRows();
    bool hasFocus() const;

    bool isBeingRead() const; ///< Or opened.
    /// Stops what is under way: opening, reading, else a search. So does who stops in the status bar.
    void cancel();

    /// The status bar shows its times from now on: the visible window, the selected range, the cursor. Requires: no other pane's.
    void showTimes();
    /// Shows what is under way. False: nothing is.
    bool showProgress();

signals:
    void progressChanged(); ///< What showProgress() shows.

private:
    void ask(QWidget& window);
    void wire();
    void sayTimes();
    QString named(const QString& work) const { return m_letter.isEmpty() ? work : work + ' ' + m_letter; }

    StatusBar& m_status;
    QString m_letter;
    ViewContext m_context;
    Session m_session;
    Navigator m_navigator;
    QPointer<TimeArea> m_area; ///< Null once the window has deleted it.
};

} // namespace helio
