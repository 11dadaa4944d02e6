#include "widgets/workspace/sql_requests.h"

#include "widgets/workspace/view_context.h"

#include <QMenu>

namespace helio {

SqlRequests& SqlRequests::of(ViewContext& context)
{
    auto* known = context.findChild<SqlRequests*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new SqlRequests(context);
}

SqlRequests::SqlRequests(ViewContext& context)
    : QObject(&context)
    , m_context(context)
{
}

void SqlRequests::ask(const QString& query)
{
    m_context.showView(QStringLiteral("sql"));
    emit asked(query);
}

void addSqlAction(QMenu& menu, ViewContext& context, const QString& query)
{
    if (query.isEmpty())
        return;
    QAction* action = menu.addAction(SqlRequests::tr("As SQL"), &context, [&context, query] { SqlRequests::of(context).ask(query); });
    action->setToolTip(SqlRequests::tr("Query the same rows in the SQL dock"));
}

QString sqlText(const QString& text) { return u'\'' + QString(text).replace(u'\'', QStringLiteral("''")) + u'\''; }

} // namespace helio
