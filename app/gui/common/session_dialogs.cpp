#include "app/gui/common/session_dialogs.h"

#include "app/gui/common/file_dialogs.h"

#include <QFileInfo>
#include <QMessageBox>

namespace helio {

bool confirmCloseAfter(const Status& saved, QWidget* window)
{
    if (saved)
        return true;
    const QString why = QString::fromStdString(saved.error().what);
    return QMessageBox::warning(window, QObject::tr("Session not saved"),
                                QObject::tr("%1. The next start cannot reopen this session.").arg(why),
                                QMessageBox::Close | QMessageBox::Cancel, QMessageBox::Cancel)
        == QMessageBox::Close;
}

QString askSessionPath(QWidget* parent, const QString& title, const QString& firstTrace)
{
    const QFileInfo first(firstTrace);
    const QString suggestion = first.absolutePath() + '/' + first.completeBaseName() + ".heliograph";
    QString path = askSaveFile(parent, title, suggestion, QObject::tr("Heliograph sessions (*.heliograph)"));
    if (!path.isEmpty() && !path.endsWith(".heliograph"))
        path += ".heliograph";
    return path;
}

} // namespace helio
