// Whatever the kernel and the socket do, every line ends once, as what the kernel knows it to be.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <set>

#include "fake_kernel.hpp"
#include "test/support/rounds.hpp"

using namespace nlstream;
using namespace nlstream::test;

namespace {

/// One stream, in full.
struct Case {
    struct Line {
        enum class Kind : u8 { changes, adds, deletes, flushes, rejected, absent };
        u32 messages = 1;
        Kind kind = Kind::changes;
        bool ends_batch = false;
    };
    using Kind = Line::Kind;
    std::vector<Line> lines;
    Flow::Options options;
    std::map<Request, int> refused;
    std::map<Request, u32> later;  ///< refused for now, so many times
    std::vector<std::string_view> ignored;
    bool late = false;
    std::size_t capacity = 1'000'000;
    u32 send_fault_percent = 0;
    u32 stop_at_step = 0xffffffff;
    u32 seed = 1;
};

constexpr int errors[] = {EEXIST, ENOENT, EINVAL, EBUSY};
constexpr int send_faults[] = {EINTR, EAGAIN, ENOBUFS, ENOMEM};

std::deque<std::unique_ptr<Batch>> batches_of(Case const& c) {
    Lines lines;
    for (auto const& line : c.lines) {
        switch (line.kind) {
            case Case::Kind::changes: lines.line(line.messages); break;
            case Case::Kind::adds: lines.adds(line.messages); break;
            case Case::Kind::deletes: lines.deletes(line.messages); break;
            case Case::Kind::flushes: lines.flush(line.messages); break;
            case Case::Kind::rejected: lines.rejected(); break;
            case Case::Kind::absent: lines.absent(); break;
        }
        if (line.ends_batch) lines.next_batch();
    }
    return lines.take();
}

/// Whether the user said to expect this refusal of a line's message.
bool expects(Case const& c, Case::Line const& line, int error) {
    for (auto const word : c.ignored) {
        if (word == "exists" && error == EEXIST && line.kind == Case::Kind::adds) return true;
        if (word == "missing" && error == ENOENT &&
            (line.kind == Case::Kind::deletes || line.kind == Case::Kind::flushes))
            return true;
        if (word == "EBUSY" && error == EBUSY) return true;
    }
    return false;
}

/// Runs the case and compares what the flow says with what the kernel knows.
void check(Case const& c) {
    std::mt19937 random(c.seed);
    Endings heard;
    FakeKernel kernel;
    kernel.late = c.late;
    kernel.capacity = c.capacity;
    kernel.answer_to = [&](Request request) {
        if (auto const later = c.later.find(request);
            later != c.later.end() && kernel.attempts[request] <= later->second)
            return later->second % 2 ? EBUSY : ENOMEM;
        auto const refusal = c.refused.find(request);
        return refusal == c.refused.end() ? 0 : refusal->second;
    };
    kernel.send_fault = [&] { return random() % 100 < c.send_fault_percent ? send_faults[random() % 4] : 0; };
    kernel.receive_fault = [&] { return random() % 100 < c.send_fault_percent ? EINTR : 0; };
    auto options = c.options;
    for (auto const word : c.ignored) options.window.expected.add(word);
    Flow flow(options, heard);
    auto input = batches_of(c);
    auto const batches = input.size();
    auto const run = drive(
        flow, kernel, std::move(input), [&] { return random() % 2 == 0; },
        [&](u32 step) {
            if (step == c.stop_at_step) flow.stop();
        });

    // Every batch comes back, every line ends once, in order.
    BOOST_REQUIRE_EQUAL(run.settled.size(), batches);
    auto const& account = flow.account();
    BOOST_REQUIRE_EQUAL(account.lines.all(), c.lines.size());
    std::map<u64, Outcome> outcome;
    u64 before = 0;
    for (auto const& ended : heard.all) {
        BOOST_REQUIRE_LT(before, ended.number);
        before = ended.number;
        outcome[ended.number] = ended.outcome;
    }
    BOOST_REQUIRE_EQUAL(account.lines[Outcome::applied], c.lines.size() - outcome.size());
    u64 ignored = 0;
    for (auto const& one : account.ignored) ignored += one.lines;
    BOOST_REQUIRE_EQUAL(account.lines[Outcome::ignored], ignored);

    // What is said of each line is what the kernel did.
    std::set<Request> const applied(kernel.applied.begin(), kernel.applied.end());
    BOOST_REQUIRE_EQUAL(applied.size(), kernel.applied.size());
    u32 last_reached = 0;
    for (u32 number = 1; number <= c.lines.size(); ++number) {
        auto const& line = c.lines[number - 1];
        u32 done = 0, refused = 0, absent = 0, expected = 0;
        for (u32 part = 0; part < line.messages; ++part) {
            done += applied.contains({number, part});
            auto const refusal = kernel.refused.find({number, part});
            if (refusal == kernel.refused.end()) continue;
            if (line.kind == Case::Kind::flushes && refusal->second == ENOENT)
                ++absent;
            else if (expects(c, line, refusal->second))
                ++expected;
            else
                ++refused;
        }
        auto const reached = done + refused + absent + expected;
        if (reached > 0) last_reached = number;
        if (!outcome.contains(number)) {
            BOOST_REQUIRE(line.kind != Case::Kind::rejected && line.kind != Case::Kind::absent);
            BOOST_REQUIRE_EQUAL(done + absent, line.messages);
            continue;
        }
        switch (outcome[number]) {
            case Outcome::failed: BOOST_REQUIRE_GT(refused, 0); break;
            case Outcome::ignored:
                if (line.kind == Case::Kind::absent) break;
                BOOST_REQUIRE_GT(expected, 0);
                BOOST_REQUIRE_EQUAL(reached - refused, line.messages);
                break;
            case Outcome::rejected: BOOST_REQUIRE(line.kind == Case::Kind::rejected); break;
            case Outcome::unsent: BOOST_REQUIRE_EQUAL(reached, 0); break;
            case Outcome::unknown: BOOST_REQUIRE_GT(kernel.answers_lost, 0); break;
            default: BOOST_FAIL("no such outcome");
        }
    }
    for (auto const& [request, attempts] : kernel.attempts) BOOST_REQUIRE_LE(attempts, c.options.window.retries + 2);
    if (account.last_sent) BOOST_REQUIRE_EQUAL(account.last_sent->number, last_reached);
    bool const stops = c.options.window.stop_at_failure || c.stop_at_step != 0xffffffff;
    if (!stops) BOOST_REQUIRE_EQUAL(account.lines[Outcome::unsent], 0);
    if (c.capacity > c.options.window.limit) {
        BOOST_REQUIRE_EQUAL(kernel.answers_lost, 0);
        BOOST_REQUIRE_EQUAL(account.lines[Outcome::unknown], 0);
    }
    BOOST_REQUIRE_LE(flow.counters().most_in_flight, c.options.window.limit);
    for (auto const messages : kernel.messages_per_send) BOOST_REQUIRE_LE(messages, c.options.coalesce);
    if (c.options.window.limit == 1 && c.options.window.stop_at_failure && c.ignored.empty())
        BOOST_REQUIRE_LE(kernel.refused.size(), 1 + account.lines[Outcome::applied] * 3);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_pattern_of_failures_in_six_lines) {
    u64 cases = 0;
    for (u32 pattern = 0; pattern < 64; ++pattern)
        for (u32 const window : {1u, 2u, 3u, 6u})
            for (u32 const coalesce : {1u, 2u, 6u})
                for (auto const ack : {AckMode::last, AckMode::each, AckMode::none})
                    for (bool const stop : {true, false})
                        for (bool const late : {true, false}) {
                            Case c;
                            for (u32 number = 1; number <= 6; ++number) {
                                c.lines.push_back({.messages = 1, .ends_batch = number == 4});
                                if (pattern >> (number - 1) & 1) c.refused[{number, 0}] = EEXIST;
                            }
                            c.options = {
                                .window = {.limit = window, .stop_at_failure = stop}, .coalesce = coalesce, .ack = ack};
                            c.late = late;
                            check(c);
                            ++cases;
                        }
    BOOST_CHECK_EQUAL(cases, 64 * 4 * 3 * 3 * 2 * 2);
}

BOOST_AUTO_TEST_CASE(a_stop_at_every_step) {
    for (u32 step = 0; step < 60; ++step)
        for (auto const ack : {AckMode::last, AckMode::each, AckMode::none})
            for (bool const late : {true, false}) {
                Case c;
                for (u32 number = 1; number <= 12; ++number) {
                    bool const rejected = number % 4 == 0;
                    c.lines.push_back({.messages = number % 4,
                                       .kind = rejected ? Case::Kind::rejected : Case::Kind::changes,
                                       .ends_batch = number % 5 == 0});
                }
                c.later[{5, 0}] = 3;
                c.options = {.window = {.limit = 3, .stop_at_failure = false, .retries = 2}, .coalesce = 2, .ack = ack};
                c.late = late;
                c.stop_at_step = step;
                check(c);
            }
}

BOOST_AUTO_TEST_CASE(random_streams_with_random_faults) {
    std::mt19937 random(20240607);
    auto const below = [&](u32 limit) { return static_cast<u32>(random() % limit); };
    for (int round = 0; round < test::rounds(20000); ++round) {
        Case c;
        c.seed = static_cast<u32>(random());
        auto const lines = below(60);
        auto const bad = below(4) == 0 ? 0 : below(40);
        auto const bad_for_now = below(3) == 0 ? below(20) : 0;
        for (auto const word : {"exists", "missing", "EBUSY"})
            if (below(4) == 0) c.ignored.emplace_back(word);
        for (u32 number = 1; number <= lines; ++number) {
            Case::Line line{.messages = below(5) == 0 ? 1 + below(3) : 1,
                            .kind = static_cast<Case::Kind>(below(4)),
                            .ends_batch = below(8) == 0};
            if (below(25) == 0) line.kind = below(2) == 0 ? Case::Kind::rejected : Case::Kind::absent;
            if (line.kind == Case::Kind::rejected || line.kind == Case::Kind::absent) line.messages = 0;
            for (u32 part = 0; part < line.messages; ++part) {
                if (below(100) < bad) c.refused[{number, part}] = errors[below(4)];
                if (below(100) < bad_for_now) c.later[{number, part}] = 1 + below(4);
            }
            c.lines.push_back(line);
        }
        u32 const window = 1 + below(20);
        c.options = {.window = {.limit = window,
                                .stop_at_failure = below(2) == 0,
                                .first_sequence = below(3) == 0 ? 0xfffffff0u : 1u,
                                .retries = below(2) == 0 ? 0 : below(5)},
                     .coalesce = 1 + below(20),
                     .ack = static_cast<AckMode>(below(3)),
                     .max_send_bytes = below(4) == 0 ? 24 + below(100) : 32768};
        c.late = below(2) == 0;
        if (below(3) == 0) c.capacity = 1 + below(2 * window);
        if (below(3) == 0) c.send_fault_percent = below(30);
        if (below(4) == 0) c.stop_at_step = below(100);
        BOOST_TEST_CONTEXT("round " << round) check(c);
    }
}

BOOST_AUTO_TEST_CASE(with_retries_lines_end_as_if_sent_one_by_one) {
    // Each line needs some earlier ones, as a class needs its qdisc; some are refused for now.
    std::mt19937 random(7);
    auto const below = [&](u32 limit) { return static_cast<u32>(random() % limit); };
    for (int round = 0; round < test::rounds(5000); ++round) {
        auto const lines = 1 + below(40);
        std::map<u32, u32> needs, later;
        for (u32 number = 1; number <= lines; ++number) {
            if (number > 1 && below(2) == 0) needs[number] = 1 + below(number - 1);
            if (below(6) == 0) later[number] = 1 + below(4);
        }
        auto const late = below(2) == 0;
        auto const run = [&](u32 window, u32 coalesce, AckMode ack) {
            Endings heard;
            FakeKernel kernel;
            kernel.late = late;
            std::set<u32> there;
            std::map<u32, u32> busy = later;
            kernel.answer_to = [&](Request request) {
                if (needs.contains(request.line) && !there.contains(needs[request.line])) return ENOENT;
                if (busy[request.line] > 0 && busy[request.line]-- > 0) return EBUSY;
                there.insert(request.line);
                return 0;
            };
            Flow flow(
                {.window = {.limit = window, .stop_at_failure = false, .retries = 2}, .coalesce = coalesce, .ack = ack},
                heard);
            Lines input;
            for (u32 number = 1; number <= lines; ++number) {
                input.line();
                if (below(6) == 0) input.next_batch();
            }
            drive(flow, kernel, input.take(), [&] { return below(2) == 0; });
            return heard.all;
        };
        auto const one_by_one = run(1, 1, AckMode::last);
        auto const at_once = run(1 + below(40), 1 + below(40), static_cast<AckMode>(below(3)));
        BOOST_TEST_CONTEXT("round " << round)
        BOOST_REQUIRE_EQUAL_COLLECTIONS(at_once.begin(), at_once.end(), one_by_one.begin(), one_by_one.end());
    }
}
