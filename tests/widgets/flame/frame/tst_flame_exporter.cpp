// Saving a flame graph to a file whose name the user chose.

#include "tests/support/test_program.h"
#include "tests/widgets/flame/frame/made_content.h"
#include "widgets/flame/frame/flame_exporter.h"

#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

/// A graph whose save dialog returns `name`, whatever name is suggested.
struct Saving {
    Saving()
        : saver(context, graph)
    {
        graph.resize(800, 300);
        graph.setContent(madeContent({"main;work 30", "main;rest 10"}));
        context.setAskPath([this](const QString&, const QString& suggestion, const QString&) {
            suggested = suggestion;
            return name.isEmpty() ? QString() : folder.filePath(name);
        });
    }
    /// Saves with the name `as` and returns the content of the file `written`.
    QByteArray saved(const QString& as, const QString& written, const QString& suggestion = "flame-graph.svg")
    {
        name = as;
        QSignalSpy remarks(&context, &ViewContext::remark);
        saver.save(suggestion, {});
        [&] { QTRY_COMPARE(remarks.count(), 1); }();
        remark = remarks.value(0).value(0).toString();
        QFile file(folder.filePath(written));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir folder;
    QString name;
    QString suggested;
    QString remark;
    ViewContext context;
    FlameView graph;
    FlameExporter saver;
};

} // namespace

class FlameSaverTest : public QObject {
    Q_OBJECT

private slots:
    void theNamesEndingDecides()
    {
        Saving it;
        QVERIFY(it.saved("a.png", "a.png").startsWith("\x89PNG"));
        QVERIFY(it.remark.startsWith("Saved to "));
        QVERIFY(it.saved("b.SVG", "b.SVG", "flame-graph.png").contains("<svg"));
        QCOMPARE(it.saved("c.folded", "c.folded"), "main;rest 10\nmain;work 30\n");
        QCOMPARE(it.saved("d.txt", "d.txt"), "main;rest 10\nmain;work 30\n");
        QVERIFY(it.saved("e.other", "e.other").contains("<svg")); // With an unknown suffix, the suggested name determines the format.
        QVERIFY(it.saved("f", "f.png", "flame-graph.png").startsWith("\x89PNG"));
    }

    void whatAViewAddsIsSavedToo()
    {
        Saving it;
        it.saver.add({"Save as numbers", "graph.numbers.json", {}, {".json"}, [] {
                          return [](const TextSink& sink, std::stop_token) { sink("1 2 3"); };
                      }});
        QCOMPARE(it.saved("a.json", "a.json"), "1 2 3");
        QCOMPARE(it.saved("b", "b.numbers.json", "graph.numbers.json"), "1 2 3");
        QMenu menu;
        it.saver.fillMenu(&menu);
        QStringList lines;
        for (const QAction* action : menu.actions())
            lines << action->text();
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[3], "Save as numbers");
        it.name.clear(); // Simulates that the user cancels the dialog.
        menu.actions()[3]->trigger();
        QCOMPARE(it.suggested, "graph.numbers.json");
    }

    void aFileThatNobodyNamedIsNotOverwritten()
    {
        Saving it;
        QCOMPARE(it.saved("a.folded", "a.folded").size(), 26);
        QVERIFY(!it.saved("a", "a.folded", "stacks.folded").isEmpty());
        QVERIFY2(it.remark.endsWith("already exists"), qPrintable(it.remark));
    }

    void whatCannotBeWrittenIsReported()
    {
        Saving it;
        it.saved("none/a.svg", "none/a.svg");
        QVERIFY2(it.remark.startsWith("Cannot write"), qPrintable(it.remark));
        it.saver.add({"Never", "never.never", {}, {".never"}, [] { return FileWriter(); }});
        it.saved("a.never", "a.never");
        QVERIFY2(it.remark.startsWith("Cannot write"), qPrintable(it.remark));
        QVERIFY(!QFile::exists(it.folder.filePath("a.never")));
    }

    void withoutAGraphThereIsNothingToSave()
    {
        Saving it;
        it.graph.setContent({});
        QMenu menu;
        it.saver.fillMenu(&menu);
        for (const QAction* action : menu.actions())
            QVERIFY(!action->isEnabled());
        it.name = "a.svg";
        it.saver.save("a.svg", {});
        QVERIFY(!QFile::exists(it.folder.filePath("a.svg")));
    }

    void aFileThatIsStoppedIsNotThere()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("stacks.folded");
        std::stop_source stop;
        stop.request_stop();

        QVERIFY(!saveText(
            path, [](const TextSink& sink) { QVERIFY(!sink("half")); }, stop.get_token()));
        QVERIFY(!QFile::exists(path));
        QVERIFY(saveText(path, [](const TextSink& sink) { QVERIFY(sink("whole")); }));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("whole"));
        QVERIFY(!saveText(folder.filePath("none/stacks.folded"), [](const TextSink& sink) { sink("never"); }));
    }
};

HELIO_TEST(FlameSaverTest)
#include "tst_flame_exporter.moc"
