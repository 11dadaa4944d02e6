#pragma once

#include <QObject>
#include <QString>

class QMenu;

namespace helio {

class ViewContext;

/// Requests of views to query the experiment in SQL, which the SQL dock answers.
/// Ownership: each ViewContext owns one object.
/// Threads: UI thread.
class SqlRequests : public QObject {
    Q_OBJECT

public:
    static SqlRequests& of(ViewContext& context);

    /// Shows the SQL dock with a query, and runs it.
    void ask(const QString& query);

signals:
    void asked(const QString& query);

private:
    explicit SqlRequests(ViewContext& context);

    ViewContext& m_context;
};

/// Adds the menu item "As SQL", which shows the SQL dock with a query and runs it. An empty query adds nothing.
void addSqlAction(QMenu& menu, ViewContext& context, const QString& query);

/// Returns a text as a literal of SQL.
QString sqlText(const QString& text);

} // namespace helio
