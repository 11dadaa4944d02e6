#pragma once

#include "core/correlation/correlator.h"
#include "core/correlation/transmissions.h"
#include "tests/support/made_timeline.h"

#include <initializer_list>

namespace helio {

/// A synthetic timeline of four hosts, "client", "web", "db" and "spare". Each has CPU 0 and one thread (TID 1, named like its host) from 0
/// to 10'000 ns. The reference host is web; compared clocks: client with web, db with client; spare has none.
struct MadeHosts {
    enum Host : std::uint32_t { Client, Web, Db, Spare };
    static constexpr Duration ClientError{640};
    static constexpr Duration DbError{820};

    static TrackRef cpu(Host host) { return {StoreIndex{host}, TrackId{0}}; }
    static TrackRef thread(Host host) { return {StoreIndex{host}, TrackId{1}}; }

    /// A network packet between two hosts; the threads that send and receive it may be unknown.
    struct Packet {
        Host from;
        Host to;
        std::int64_t sent = 0; ///< Sending time in ns on the experiment's clock.
        std::int64_t received = 0;
        bool hasSender = true;
        bool hasReceiver = true;
    };

    static std::shared_ptr<Timeline> make(std::initializer_list<Packet> packets = {})
    {
        auto timeline = std::make_shared<Timeline>();
        for (const char* name : {"client", "web", "db", "spare"})
            addTrace(*timeline, {storeOf(name), std::make_shared<MadeTrace>(), {}, name});
        timeline->reference = Web;
        timeline->isComplete = true;
        align(timeline->hosts[Client], ClientError, {Web});
        align(timeline->hosts[Web], {}, {});
        align(timeline->hosts[Db], DbError, {Client, Web});
        timeline->hosts[Spare].isSynchronized = false;
        auto relation = packets.size() > 0 ? relationOf(packets) : std::make_shared<Correlation>();
        relation->comparisons = comparedWith(DbError - ClientError);
        timeline->relations.push_back(std::move(relation));
        return timeline;
    }

    /// Comparison of db's clock with client's, with the error bound `error`, as the packets correlator would return it.
    static std::shared_ptr<const std::vector<HostComparison>> comparedWith(Duration error)
    {
        ClockFit fit;
        fit.quality = FitQuality::Accurate;
        fit.points = {{hostTime(0), timestamp(0), error}};
        fit.error = fit.lineError = fit.minError = error;
        return std::make_shared<const std::vector<HostComparison>>(std::vector<HostComparison>{{{Db, Client, fit}, ClockMethod::Packets}});
    }

private:
    static std::shared_ptr<const Store> storeOf(const std::string& name)
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Track cpu;
        cpu.view = "resources";
        cpu.kind = "cpu";
        cpu.role = TrackRole::Cpu;
        cpu.key = "cpu:0";
        cpu.label = "CPU 0";
        cpu.states = *builder->stateSet(test::statesNamed("cpu", MadeTimeline::CpuStates));
        cpu.cpu = 0;
        builder->set(hostTime(0), builder->addTrack(cpu), State{2});
        Track thread;
        thread.view = "control-flow";
        thread.kind = "thread";
        thread.role = TrackRole::Thread;
        thread.key = "tid:1";
        thread.label = name;
        thread.tid = 1;
        thread.states = *builder->stateSet(test::statesNamed("thread", MadeTimeline::ThreadStates));
        builder->set(hostTime(0), builder->addTrack(thread), State{MadeTimeline::User});
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(10'000)};
        return *builder->finish(summary);
    }

    /// Gives the host a clock that equals the time axis, with the error bound `error`, and sets the hosts of its clock path to `path`. Does
    /// not set the offset in host.path.fit, which the window shows.
    static void align(TimelineHost& host, Duration error, std::vector<std::uint32_t> path)
    {
        host.clock = *ClockTransform::through({{hostTime(0), timestamp(0), error}});
        host.path.hosts = std::move(path);
        host.path.isReached = true;
        host.path.fit.minError = host.path.fit.error = host.path.fit.lineError = error;
        host.path.fit.points = host.clock.points();
        host.method = host.path.hosts.empty() ? ClockMethod::Reference : ClockMethod::Packets;
        host.quality = FitQuality::Accurate;
    }

    static std::shared_ptr<Correlation> relationOf(std::initializer_list<Packet> packets)
    {
        constexpr auto OfCpus = std::size_t(LinkKind::FirstOwn);
        std::vector<LinkKindInfo> kinds(OfCpus + 1);
        for (const std::size_t kind : {std::size_t(LinkKind::Packet), OfCpus}) {
            kinds[kind].id = "packet";
            kinds[kind].title = "Packet";
            kinds[kind].color = "arrow.packet";
        }
        kinds[OfCpus].views = {"resources"};
        auto messages = std::make_shared<Transmissions>();
        messages->kind = "packet";
        messages->plural = "packets";
        messages->flows.push_back({"tcp", "10.0.0.1:1000", "10.0.0.2:80"});
        std::vector<InterTraceLink> links;
        for (const Packet& it : packets) {
            Transmission message;
            message.fromTrace = it.from;
            message.toTrace = it.to;
            message.sequence = 17;
            message.acknowledgement = 4;
            message.length = 100;
            message.flags = std::uint16_t(TcpFlag::Syn) | std::uint16_t(TcpFlag::Acknowledge);
            InterTraceLink link;
            link.message = std::uint32_t(messages->all.size());
            link.fromTime = timestamp(it.sent);
            link.toTime = timestamp(it.received);
            link.kind = LinkKind(OfCpus);
            link.from = cpu(it.from);
            link.to = cpu(it.to);
            link.detail = "tcp 10.0.0.1:1000 > 10.0.0.2:80 seq 17 len 100";
            links.push_back(link);
            link.kind = LinkKind::Packet;
            link.from = it.hasSender ? thread(it.from) : cpu(it.from);
            link.to = it.hasReceiver ? thread(it.to) : cpu(it.to);
            links.push_back(link);
            messages->all.push_back(message);
        }
        auto relation = std::make_shared<Correlation>();
        relation->messages = std::move(messages);
        relation->links = {std::move(kinds), std::move(links)};
        return relation;
    }
};

} // namespace helio
