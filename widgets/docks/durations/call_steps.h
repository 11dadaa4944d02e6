#pragma once

#include "widgets/docks/durations/call_list_model.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QToolButton;

namespace helio {

class ViewContext;

/// Controls to step through the calls of a bar in a histogram: a strip that shows their times, buttons for the previous and the next call,
/// and a button that zooms until all calls are in view.
/// Threads: UI thread.
class CallSteps : public QWidget {
    Q_OBJECT

public:
    explicit CallSteps(ViewContext& context, QWidget* parent = nullptr);

    /// Sets the calls to step through and the index of the current call, nullopt if there is none. The widget is hidden if `calls` is
    /// nullptr.
    void setCalls(std::shared_ptr<const ListedCalls> calls, std::optional<std::size_t> current);

signals:
    void stepped(std::size_t call); ///< Emitted when the user goes to the call with index `call`.

private:
    void step(int by);
    void showIcons();
    void zoomToAll();

    ViewContext& m_context;
    std::shared_ptr<const ListedCalls> m_calls; ///< Calls to step through; nullptr if there are none.
    std::optional<std::size_t> m_current;
    QPushButton* m_showAll;
    QToolButton* m_previous;
    QLabel* m_place;
    QToolButton* m_next;
};

} // namespace helio
