#pragma once

#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_search.h"
#include "widgets/views/view_context.h"

class QToolButton;

namespace helio {

class ExpressionField;

/// Runs the search that all views mark and lists its hits. Choosing one goes there.
class SearchView : public QWidget {
    Q_OBJECT

public:
    explicit SearchView(ViewContext& context, QWidget* parent = nullptr);

private:
    void start(const QString& text);
    void showState();
    void choose(quint64 position);
    QToolButton* addButton(const QString& icon, const QString& name, const QString& action);

    ViewContext& m_context;
    ExpressionField* m_field;
    EventList* m_list;
    EventSearch m_search;
    QToolButton* m_stop;
    QList<QToolButton*> m_buttons;
};

} // namespace helio
