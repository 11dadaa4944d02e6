#include "app/cli/output/picture.h"

#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "core/store/file/temporary_file.h"

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>

namespace helio {
namespace {

/// Qt message handler that drops warnings, for example about the missing desktop, and prints only errors.
void dropQtWarnings(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    if (type == QtCriticalMsg || type == QtFatalMsg)
        warn(message.toStdString());
}

} // namespace

OffscreenApplication::OffscreenApplication()
{
    if (!QCoreApplication::instance())
        m_app.emplace(prepare(m_count), m_arguments);
    std::setlocale(LC_NUMERIC, "C"); // Qt set the user's locale, in which the numbers of later output could have commas.
}

int& OffscreenApplication::prepare(int& count)
{
    qInstallMessageHandler(dropQtWarnings);
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    if (!std::setlocale(LC_ALL, "") || std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setenv("LC_ALL", "C.UTF-8", 1);
    return count;
}

Status savePicture(const std::filesystem::path& path, const QByteArray& bytes)
{
    if (bytes.isEmpty())
        return Error{Error::Kind::Full, path.string() + ": cannot draw the picture; it may be too large"};
    if (OutputReceiver* const receiver = outputReceiver()) {
        receiver->picture({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        return Done{};
    }
    const Status saved = saveFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return saved ? saved : Error{saved.error().kind, path.string() + ": " + saved.error().what};
}

} // namespace helio
