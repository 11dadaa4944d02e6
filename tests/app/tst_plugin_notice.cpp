#include "app/gui/common/plugin_notice.h"
#include "tests/support/test_program.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace fs = std::filesystem;

namespace {

/// The user's plug-in folders, and the notice bar that asks about new plug-ins.
class Asked {
public:
    fs::path put(const char* plugin, const char* name = nullptr) const
    {
        const fs::path folder = m_folder.path().toStdString() + "/plugins", file = folder / (std::string(name ? name : plugin) + ".so");
        fs::create_directories(folder);
        fs::copy_file(std::string(PLUGINS "/") + plugin + ".so", file, fs::copy_options::overwrite_existing);
        return file;
    }
    Plugins plugins() const
    {
        const fs::path root = m_folder.path().toStdString();
        return Plugins({{root / "plugins"}, root / "notes"});
    }

private:
    const QTemporaryDir m_folder;
};

QString textOf(const PluginNotice& notice)
{
    QStringList all;
    for (const QLabel* label : notice.findChildren<QLabel*>())
        all << label->text();
    return all.join('\n');
}

void press(const PluginNotice& notice, const QString& text)
{
    for (QPushButton* button : notice.findChildren<QPushButton*>())
        if (button->text() == text && !button->isHidden())
            return button->click();
    QFAIL(qPrintable("there is no button " + text));
}

} // namespace

class PluginNoticeTest : public QObject {
    Q_OBJECT

private slots:
    void withoutPluginsThereIsNothing()
    {
        const Asked asked;
        Plugins plugins = asked.plugins();
        PluginNotice notice(plugins);
        notice.look();
        QVERIFY(notice.isHidden());
    }

    void whatIsAllowedIsLoaded()
    {
        const Asked asked;
        const fs::path file = asked.put("numbers");
        Plugins plugins = asked.plugins();
        PluginNotice notice(plugins);
        QSignalSpy loaded(&notice, &PluginNotice::loaded);
        notice.look();
        QVERIFY(!notice.isHidden());
        const PluginInfo found = plugins.found().front();
        for (const std::string& part : {std::string("<b>numbers.so</b>"), found.hash, found.file.string(),
                                        std::to_string((fs::file_size(file) + 1023) / 1024) + " KiB"})
            QVERIFY2(textOf(notice).contains(QString::fromStdString(part)), part.c_str());
        QVERIFY(!plugins.isAnyLoaded());
        press(notice, "Allow");
        QCOMPARE(loaded.count(), 1);
        QVERIFY(plugins.isAnyLoaded());
        QVERIFY(notice.isHidden());
    }

    void noticesAreShownOneByOne()
    {
        const Asked asked;
        asked.put("measures");
        asked.put("numbers");
        Plugins plugins = asked.plugins();
        PluginNotice notice(plugins);
        notice.look();
        QVERIFY(textOf(notice).contains("measures.so"));
        press(notice, "Never");
        QVERIFY(textOf(notice).contains("numbers.so"));
        press(notice, "Not now");
        QVERIFY(notice.isHidden());
        notice.look(); // After "Not now", the notice must stay hidden until the next start of the program.
        QVERIFY(notice.isHidden());
        QVERIFY(!plugins.isAnyLoaded());

        Plugins later = asked.plugins();
        PluginNotice next(later);
        next.look();
        QVERIFY(textOf(next).contains("numbers.so"));
        QVERIFY(!textOf(next).contains("measures.so"));
    }

    void failuresAreReported()
    {
        const Asked asked;
        asked.put("newer");
        Plugins plugins = asked.plugins();
        PluginNotice notice(plugins);
        QSignalSpy loaded(&notice, &PluginNotice::loaded);
        notice.look();
        press(notice, "Allow");
        QCOMPARE(loaded.count(), 0);
        QVERIFY(textOf(notice).contains("The plug-in <b>newer.so</b> was not loaded: it has no analysis for version 1 of the plug-in "
                                        "interface."));
        press(notice, "Close");
        QVERIFY(notice.isHidden());
    }

    void whatChangedIsAskedInOtherWords()
    {
        const Asked asked;
        const fs::path file = asked.put("numbers");
        QVERIFY(asked.plugins().allow(file));
        asked.put("measures", "numbers");
        Plugins plugins = asked.plugins();
        PluginNotice notice(plugins);
        notice.look();
        QVERIFY(textOf(notice).contains("has changed since your decision"));
    }

    void whatIsUnsafeCannotBeAllowed()
    {
        const Asked asked;
        fs::permissions(asked.put("numbers"), fs::perms::others_write, fs::perm_options::add);
        Plugins plugins = asked.plugins();
        PluginNotice notice(plugins);
        notice.look();
        QVERIFY(textOf(notice).contains("it is writable by everyone"));
        for (const QPushButton* button : notice.findChildren<QPushButton*>())
            QVERIFY(button->isHidden() == (button->text() == "Try again"));
    }
};

HELIO_TEST(PluginNoticeTest)
#include "tst_plugin_notice.moc"
